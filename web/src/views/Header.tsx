// The top of the page: where one is, the connection, language and colours.
import { useEffect, useState } from "preact/hooks";
import { choose, settings, type Theme } from "../base/settings";
import { useValue } from "../base/value";
import { client, type Route, route } from "../control/app";
import { t } from "../i18n/text";
import { Icon } from "./Controls";

const pages: readonly Route[] = ["play", "analyse", "watch", "about"];
const nextTheme: Record<Theme, Theme> = { auto: "light", light: "dark", dark: "auto" };
const themeIcon: Record<Theme, string> = { auto: "auto", light: "sun", dark: "moon" };

/**
 * Shown once the page's own font is there: Chromium keeps the boxes that it drew before, where no
 * other font has these characters.
 */
function JapaneseWord(): preact.JSX.Element | null {
  const [ready, setReady] = useState(false);
  useEffect(() => {
    const done = (): void => setReady(true);
    document.fonts.load('1em "Yomi Kanji"', "日本語").then(done, done);
  }, []);
  return ready ? <span class="word">日本語</span> : null;
}

export function Header(): preact.JSX.Element {
  const here = useValue(route);
  const { language, theme } = useValue(settings);
  const state = useValue(client.state);
  return (
    <header>
      <a class="logo" href="#play" aria-label="Yomi">
        <span class="kanji" aria-hidden="true">
          読
        </span>
        Yomi
      </a>
      <nav aria-label={t("pages")}>
        {pages.map((page) => (
          <a key={page} href={`#${page}`} aria-current={page === here ? "page" : undefined}>
            {t(page)}
          </a>
        ))}
      </nav>
      <span class="grow" />
      <span class={`connection ${state}`} role="status" title={t(`connection.${state}`)}>
        {state === "open" ? "" : t(`connection.${state}`)}
      </span>
      <button type="button" class="button quiet" aria-label={language === "en" ? "日本語" : "English"} lang={language === "en" ? "ja" : "en"} onClick={() => choose({ language: language === "en" ? "ja" : "en" })}>
        {language === "en" ? <JapaneseWord /> : "English"}
      </button>
      <button
        type="button"
        class="button quiet"
        title={t(`theme.${theme}`)}
        aria-label={t(`theme.${theme}`)}
        onClick={() => choose({ theme: nextTheme[theme] })}
      >
        <Icon name={themeIcon[theme]} />
      </button>
    </header>
  );
}
