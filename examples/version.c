/* yomi/version.h: the library that is linked may be another than the headers. yomi/yomi.h has all
 * headers. */
#include <stdio.h>
#include <string.h>
#include <yomi/version.h>
#include <yomi/yomi.h>

int main(void) {
    printf("headers %s, library %s\n", YO_VERSION, yo_version());
    return strcmp(YO_VERSION, yo_version()) ? 1 : 0;
}
