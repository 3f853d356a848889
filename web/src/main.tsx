import { render } from "preact";
import { followSettings } from "./base/settings";
import { client, doc, play } from "./control/app";
import { keepGame } from "./control/keep";
import "./style/page.css";
import "./style/boards.css";
import "./style/panels.css";
import { App } from "./views/App";
import { Safe } from "./views/Safe";

followSettings();
keepGame(doc, play);
render(
  <Safe>
    <App />
  </Safe>,
  document.getElementById("app")!,
);
client.connect();
