/* The numbers of cuDNN's enums and the types of its functions in eval/net/cuda/cudnn.h are those of
 * NVIDIA's header. Compiled where that is; compiling is the test. */
#include <cudnn.h>

#include "eval/net/cuda/cudnn.h"

#define X(name, number) _Static_assert((int)(name) == YO_##name, #name);
YO_CUDNN_NUMBERS(X)
#undef X

_Static_assert(CUDNN_STATUS_SUCCESS == 0, "success");
_Static_assert(sizeof(cudnnHandle_t) == sizeof(void *), "handles are pointers");
_Static_assert(sizeof(cudnnBackendDescriptor_t) == sizeof(void *), "descriptors are pointers");
_Static_assert(sizeof(cudnnStatus_t) == sizeof(int), "enums are int");
_Static_assert(sizeof(cudnnBackendAttributeName_t) == sizeof(int), "enums are int");
_Static_assert(sizeof(cudnnBackendAttributeType_t) == sizeof(int), "enums are int");
_Static_assert(sizeof(cudnnBackendDescriptorType_t) == sizeof(int), "enums are int");
_Static_assert(sizeof(cudnnBackendNumericalNote_t) == sizeof(int), "notes are int");
_Static_assert(sizeof(cudnnBackendBehaviorNote_t) == sizeof(int), "notes are int");
_Static_assert(sizeof(cudnnDataType_t) == sizeof(int), "enums are int");

/* Each function with the arguments that Yomi gives it. */
int yo_cudnn_calls(void *pointer, int64_t count, const void *values);
int yo_cudnn_calls(void *pointer, int64_t count, const void *values) {
    size_t version = cudnnGetVersion();
    const char *text = cudnnGetErrorString((cudnnStatus_t)0);
    return (int)version + (text ? 1 : 0) + (int)cudnnCreate((cudnnHandle_t *)pointer) +
           (int)cudnnDestroy((cudnnHandle_t)pointer) +
           (int)cudnnSetStream((cudnnHandle_t)pointer, (cudaStream_t)pointer) +
           (int)cudnnBackendCreateDescriptor((cudnnBackendDescriptorType_t)0,
                                             (cudnnBackendDescriptor_t *)pointer) +
           (int)cudnnBackendDestroyDescriptor((cudnnBackendDescriptor_t)pointer) +
           (int)cudnnBackendSetAttribute((cudnnBackendDescriptor_t)pointer,
                                         (cudnnBackendAttributeName_t)0,
                                         (cudnnBackendAttributeType_t)0, count, values) +
           (int)cudnnBackendGetAttribute((cudnnBackendDescriptor_t)pointer,
                                         (cudnnBackendAttributeName_t)0,
                                         (cudnnBackendAttributeType_t)0, count, &count, pointer) +
           (int)cudnnBackendFinalize((cudnnBackendDescriptor_t)pointer) +
           (int)cudnnBackendExecute((cudnnHandle_t)pointer, (cudnnBackendDescriptor_t)pointer,
                                    (cudnnBackendDescriptor_t)pointer);
}
