/* All of Yomi's public interface. */
#pragma once

#include "yomi/error.h"
#include "yomi/go.h"
#include "yomi/playout.h"
#include "yomi/sgf.h"
#include "yomi/shogi.h"
#include "yomi/version.h"
