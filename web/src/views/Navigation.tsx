// Buttons that go through the game.
import { useValue } from "../base/value";
import { doc } from "../control/app";
import { t } from "../i18n/text";
import { Button } from "./Controls";

export function Navigation(): preact.JSX.Element {
  const node = useValue(doc.current);
  useValue(doc.revision);
  const first = node.parent === null;
  const last = node.children.length === 0;
  return (
    <div class="navigation" role="toolbar" aria-label={t("navigation")}>
      <Button icon="first" title={t("toStart")} disabled={first} onClick={() => doc.back(Infinity)} />
      <Button icon="back" title={t("back")} disabled={first} onClick={() => doc.back()} />
      <span class="ply">{t("moveNumber", { n: node.ply })}</span>
      <Button icon="forward" title={t("forward")} disabled={last} onClick={() => doc.forward()} />
      <Button icon="last" title={t("toEnd")} disabled={last} onClick={() => doc.forward(Infinity)} />
    </div>
  );
}
