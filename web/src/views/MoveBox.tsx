// A move as text: for those who type, and for those who do not see the board.
import { useState } from "preact/hooks";
import { useValue } from "../base/value";
import { doc, play, route } from "../control/app";
import { play as playMove } from "../game/state";
import { t } from "../i18n/text";
import { usePersonToMove } from "./turn";

/** The move as it is written in requests: points in capitals, USI as it is. */
function normal(text: string, go: boolean): string {
  const bare = text.trim();
  if (!go) return bare;
  return bare.toLowerCase() === "pass" ? "pass" : bare.toUpperCase();
}

export function MoveBox(): preact.JSX.Element {
  const [text, setText] = useState("");
  const [wrong, setWrong] = useState(false);
  const where = useValue(route);
  const mine = usePersonToMove() !== null;
  const node = useValue(doc.current);
  const go = doc.game.get().start.game === "go";
  const allowed = where !== "play" || mine;

  function enter(event: Event): void {
    event.preventDefault();
    const move = normal(text, go);
    const legal = playMove(doc.state(node), move) !== null;
    const done = legal && (where === "play" ? play.move(move) : doc.add(move) !== null);
    setWrong(!done);
    if (done) setText("");
  }

  return (
    <form class="move-box" onSubmit={enter}>
      <label>
        <span>{t("typeMove")}</span>
        <input
          type="text"
          name="move"
          autocomplete="off"
          spellcheck={false}
          placeholder={go ? "D4" : "7g7f"}
          value={text}
          disabled={!allowed}
          aria-invalid={wrong}
          onInput={(event) => {
            setText(event.currentTarget.value);
            setWrong(false);
          }}
        />
      </label>
      {wrong && <span class="problem" role="alert">{t("illegal")}</span>}
    </form>
  );
}
