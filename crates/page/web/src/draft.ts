// Text that was typed but not saved yet, kept by the browser until it is saved or thrown away.

const PREFIX = "draft:";

export function readDraft(name: string): string | null {
  return localStorage.getItem(PREFIX + name);
}

export function writeDraft(name: string, text: string): void {
  localStorage.setItem(PREFIX + name, text);
}

export function dropDraft(name: string): void {
  localStorage.removeItem(PREFIX + name);
}

/** Restores the field from its draft and keeps it there while typing. */
export function keepDraft(field: HTMLTextAreaElement | HTMLInputElement, name: string): void {
  field.value = readDraft(name) ?? field.value;
  field.addEventListener("input", () => writeDraft(name, field.value));
}
