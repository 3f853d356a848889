#include <stdio.h>

#include "yomi/version.h"

int main(void) {
    printf("yomi %s\n", yo_version());
    return 0;
}
