// In place of a blank page when something in it fails: what happened, and a way on.
import { useErrorBoundary } from "preact/hooks";
import { forgetGame } from "../control/keep";
import { t } from "../i18n/text";
import { Button } from "./Controls";

function afresh(): void {
  forgetGame();
  location.reload();
}

export function Safe({ children }: { children: preact.ComponentChildren }): preact.JSX.Element {
  const [error] = useErrorBoundary() as [unknown, () => void];
  if (!error) return <>{children}</>;
  return (
    <main class="about">
      <article class="about">
        <section class="card" role="alert">
          <h2>{t("broken")}</h2>
          <p>{t("brokenText")}</p>
          <pre>{String(error)}</pre>
          <Button label={t("afresh")} kind="primary" onClick={afresh} />
        </section>
      </article>
    </main>
  );
}
