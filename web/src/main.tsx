import { render } from "preact";
import { followSettings } from "./base/settings";
import { client } from "./control/app";
import "./style/page.css";
import "./style/boards.css";
import "./style/panels.css";
import { App } from "./views/App";

followSettings();
render(<App />, document.getElementById("app")!);
client.connect();
