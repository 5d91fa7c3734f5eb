// The address of the page names its view and position, so that it can be bookmarked and shared.

import type { Where } from "./session";
import type { Position } from "./api";

export interface Place {
  view: string | null;
  game: number;
  where: Where;
}

export function readLink(): Place {
  const link = new URLSearchParams(location.hash.slice(1));
  const node = link.get("node");
  const where = node === null ? { path: link.get("path") ?? "" } : { node: Number(node) || 0 };
  // Games are counted from 1 in the address, as people do.
  return { view: link.get("view"), game: Math.max(0, (Number(link.get("game")) || 1) - 1), where };
}

export function writeLink(view: string, position: Position): void {
  const link = new URLSearchParams({ game: String(position.game + 1) });
  if (position.moves) link.set("path", position.moves.join(","));
  else link.set("node", String(position.node));
  link.set("view", view);
  const text = "#" + link.toString().replaceAll("%2C", ",");
  if (text !== location.hash) history.replaceState(null, "", text);
}
