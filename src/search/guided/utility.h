/* What points add to the value of a position. Both parts saturate; the static one is centred at 0,
 * the dynamic one near the score that the root expects, so that a search still prefers good moves
 * in a won or lost game. After KataGo (Wu, "Accelerating self-play learning in Go", 2019,
 * section 4.3). */
#pragma once

struct yo_guided_scores {
    float in_static, in_dynamic; /* weights of the two parts */
    float unit;                  /* the board's edge, in points */
    float center;                /* of the dynamic part */
};

/* zero: pull towards 0. */
float yo_guided_score_center(float root_score, float unit, float zero);
/* The score is normally distributed, of the same side as the center. */
float yo_guided_score_utility(const struct yo_guided_scores *scores, float mean, float stdev);
