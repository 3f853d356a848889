// Whether a person may move now, followed.
import { useValue } from "../base/value";
import { doc, play } from "../control/app";
import type { Side } from "../net/protocol";

export function usePersonToMove(): Side | null {
  useValue(play.phase);
  useValue(play.live);
  useValue(play.thinking);
  useValue(play.paused);
  useValue(doc.current);
  return play.personToMove();
}
