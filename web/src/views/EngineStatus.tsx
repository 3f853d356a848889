// One line about the search that runs.
import { useValue } from "../base/value";
import { analysis } from "../control/app";
import { shortCount } from "../game/numbers";
import { t } from "../i18n/text";

export function EngineStatus(): preact.JSX.Element {
  const report = useValue(analysis.report);
  const on = useValue(analysis.on);
  if (!report) return <span class="muted">{on ? t("thinking") : t("engineOff")}</span>;
  const parts = [
    report.visits > 0 ? t("visitsOf", { n: shortCount(report.visits) }) : t("nodesOf", { n: shortCount(report.nodes) }),
    `${shortCount(report.nps)}/s`,
    ...(report.depth ? [t("depthOf", { n: report.depth })] : []),
  ];
  return <span class="muted status">{parts.join(" · ")}</span>;
}
