// The files in the header: undo, redo, save, and banners for what stands in the way of editing.

import { ApiError, get, post } from "./api";
import type { OpenFile } from "./api";
import { askText, confirmed, showDialog } from "./dialog";
import { button, h, replace } from "./dom";
import type { Session } from "./session";

export class Files {
  readonly buttons = h("div.buttons", { role: "group", "aria-label": "File" });
  readonly banners = h("div.banners", { role: "region", "aria-label": "Notices about files" });
  private readonly name = h("span.file-name");

  constructor(private readonly session: Session) {
    session.on("files", () => this.show());
    session.on("game", () => this.show());
  }

  async save(): Promise<void> {
    const { file } = this.session;
    if (file.path === null) await this.saveAs();
    else await this.write(file, null, false);
  }

  private async saveAs(): Promise<void> {
    const { file } = this.session;
    const name = await askText({
      title: "Save as",
      label: "File name; it is written beside the opened file",
      value: file.name,
    });
    if (name) await this.write(file, name, false);
  }

  private async write(file: OpenFile, as: string | null, force: boolean): Promise<void> {
    await this.session.attempt(async () => {
      try {
        const { message } = await post<{ message: string }>("save", { file: file.file, as, force, backup: false });
        this.session.note(message);
      } catch (error) {
        const overwritable = error instanceof ApiError && ["changed_on_disk", "exists"].includes(error.code);
        if (!overwritable || force) throw error;
        if (await confirmed("Save", `${error.message}. Overwrite it?`, "Overwrite")) await this.write(file, as, true);
      }
    });
  }

  private show(): void {
    if (!this.session.details) return;
    const { session } = this;
    const { file } = session;
    document.title = `${file.changed ? "• " : ""}${session.details.title} – ${file.name} – gametree`;
    replace(this.name, file.name, file.changed && !session.state.archive && h("span.changed", { title: "unsaved changes" }, " •"));
    const { readOnly } = session;
    document.body.classList.toggle("read-only", readOnly);
    replace(
      this.buttons,
      this.name,
      readOnly
        ? h("span", {}, "read-only")
        : [
            button("↶", file.undo ? `undo: ${file.undo}` : "nothing to undo", () => void session.undo(), {
              disabled: !file.undo,
            }),
            button("↷", file.redo ? `redo: ${file.redo}` : "nothing to redo", () => void session.redo(), {
              disabled: !file.redo,
            }),
            // Beside an archive there is no file to save to.
            !session.state.archive && [
              button("Save", "save", () => void this.save(), { disabled: !file.changed && !file.new }),
              button("Save as", "save under another name", () => void this.saveAs()),
            ],
          ],
      !file.archive && h("a.button", { href: `api/download?file=${file.file}`, download: file.name }, "Download"),
      button("Link", "copy a link to this position", () => void this.copyLink()),
    );
    replace(this.banners, ...session.state.files.flatMap((open) => this.bannersOf(open)));
  }

  private async copyLink(): Promise<void> {
    const { session } = this;
    await session.attempt(async () => {
      const { pgn } = await get<{ pgn: string }>("pgn", { game: session.position.game });
      const field = h("textarea", { rows: 8, readonly: true, "aria-label": "PGN" });
      field.value = pgn;
      const address = h("input", { type: "text", readonly: true, value: location.href, "aria-label": "Link" });
      await navigator.clipboard?.writeText(location.href).catch(() => undefined);
      showDialog(
        "Link to this position",
        h(
          "p",
          {},
          "The link opens this position here. To share it with others, send the PGN with it: the path in the link leads to the position in their copy.",
        ),
        h("label", {}, "Link", address),
        h("label", {}, "PGN", field),
      );
    });
  }

  private bannersOf(file: OpenFile): HTMLElement[] {
    const { session } = this;
    const banner = (text: string, ...actions: HTMLElement[]) =>
      h("div.banner", {}, h("span", {}, `${file.name}: ${text}`), ...actions);
    const act = (label: string, route: string) =>
      button(label, label, () => void session.change(route, { file: file.file }));
    const list: HTMLElement[] = [];
    if (file.obstacle) {
      const { code, message } = file.obstacle;
      const offers =
        code === "leftover"
          ? [act("Resume", "resume"), act("Discard", "discard")]
          : code === "misfit"
            ? [act("Discard", "discard")]
            : [];
      list.push(banner(message, ...offers));
    }
    if (file.changed_on_disk) {
      list.push(
        banner(
          "another program changed the file",
          act("Reload", "reload"),
          button("Save anyway", "overwrite the file", () => void this.write(file, null, true)),
          button("Save as", "save under another name", () => void this.saveAs()),
        ),
      );
    }
    if (file.journal_trouble) list.push(banner(file.journal_trouble));
    return list;
  }
}
