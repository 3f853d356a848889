/* Verilator's classes behind the C interface; nothing else in the tree is C++. */
#include "eval/playout/hw/model.h"

#include <new>

#include "Vyomi13.h"
#include "Vyomi19.h"
#include "Vyomi9.h"
#include "verilated.h"

namespace {

template <class Model> struct Unit {
    VerilatedContext context;
    Model model{&context};

    void tick() {
        model.clk = 0;
        model.eval();
        model.clk = 1;
        model.eval();
    }
};

template <class Model> void destroy(void *unit) { delete static_cast<Unit<Model> *>(unit); }

template <class Model> void *create() {
    auto *unit = new (std::nothrow) Unit<Model>;
    if (!unit) return nullptr;
    unit->model.reset = 1;
    unit->model.request = 0;
    for (int i = 0; i < 32; i++)
        unit->tick();
    unit->model.reset = 0;
    return unit;
}

template <class Model> void write(void *pointer, uint32_t address, uint32_t data) {
    auto *unit = static_cast<Unit<Model> *>(pointer);
    unit->model.address = address;
    unit->model.write_data = data;
    unit->model.request = 1;
    unit->tick();
    unit->model.request = 0;
}

template <class Model> uint32_t read(void *pointer, uint32_t address) {
    auto *unit = static_cast<Unit<Model> *>(pointer);
    unit->model.address = address;
    for (int i = 0; i < 3; i++)
        unit->tick();
    return unit->model.read_data;
}

template <class Model> bool wait(void *pointer, uint64_t cycles, const struct yo_hw_watch *watch) {
    auto *unit = static_cast<Unit<Model> *>(pointer);
    Model &model = unit->model;
    for (uint64_t i = 0; i < cycles; i++) {
        unit->tick();
        if (watch && watch->move && model.trace)
            watch->move(watch->user, model.trace_game, model.trace_pass ? -1 : model.trace_point);
        if (watch && watch->score && model.scored)
            watch->score(watch->user, model.scored_game, static_cast<int16_t>(model.scored_score));
        if (!model.busy) return true;
    }
    return false;
}

template <class Model> constexpr struct yo_hw_model model_of(int size) {
    return {size, create<Model>, destroy<Model>, write<Model>, read<Model>, wait<Model>};
}

} // namespace

const struct yo_hw_model yo_hw_models[] = {
    model_of<Vyomi9>(9),
    model_of<Vyomi13>(13),
    model_of<Vyomi19>(19),
    {0, nullptr, nullptr, nullptr, nullptr, nullptr},
};
