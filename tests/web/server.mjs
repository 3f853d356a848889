// A `yomi web` of our own.
import { spawn } from "node:child_process";
import { once } from "node:events";

export class Server {
  /** Playouts unless a network is named: they are quick on any machine. */
  static async start(yomi, port = 0, net = "") {
    const server = new Server();
    server.process = spawn(yomi, ["web", "--port", String(port), "--threads", "1", "--net", net], { stdio: ["ignore", "pipe", "pipe"] });
    let errors = "";
    server.process.stderr.on("data", (chunk) => (errors += chunk));
    server.ended = once(server.process, "exit");
    server.address = await new Promise((resolve, reject) => {
      let text = "";
      server.process.stdout.on("data", (chunk) => {
        text += chunk;
        if (text.includes("\n")) resolve(text.split("\n")[0]);
      });
      server.process.once("exit", (status) => reject(new Error(`yomi web ended with ${status}: ${errors}`)));
    });
    server.port = Number(new URL(server.address).port);
    return server;
  }

  async stop() {
    this.process.kill("SIGTERM");
    await this.ended;
  }
}
