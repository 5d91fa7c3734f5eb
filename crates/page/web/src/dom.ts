// Elements in one call, so that views read like the page they make. Text is always text, never markup.

type Handler = (event: never) => void;
type Value = string | number | boolean | null | undefined | Handler;
export type Attributes = { [name: string]: Value };
export type Child = Node | string | number | null | undefined | false | Child[];

/** `h("button.primary", {onclick, "aria-label": "Save"}, "Save")` */
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K | `${K}.${string}`,
  attributes?: Attributes,
  ...children: Child[]
): HTMLElementTagNameMap[K];
export function h(tag: string, attributes?: Attributes, ...children: Child[]): HTMLElement;
export function h(tag: string, attributes: Attributes = {}, ...children: Child[]): HTMLElement {
  const [name, ...classes] = tag.split(".");
  const element = document.createElement(name!);
  element.classList.add(...classes);
  setAttributes(element, attributes);
  append(element, children);
  return element;
}

/** The same for elements of SVG. */
export function svg(tag: string, attributes: Attributes = {}, ...children: Child[]): SVGElement {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  setAttributes(element, attributes);
  append(element, children);
  return element;
}

export function replace(parent: Element, ...children: Child[]): void {
  parent.replaceChildren();
  append(parent, children);
}

/** A button with a sign gets its name from the title; one with words is named by them. */
export function button(
  label: Child,
  title: string,
  onclick: (event: MouseEvent) => void,
  more: Attributes = {},
): HTMLButtonElement {
  const named = typeof label === "string" && /[a-z]{2}/i.test(label);
  return h("button", { type: "button", title, "aria-label": named ? null : title, onclick, ...more }, label);
}

function setAttributes(element: Element, attributes: Attributes): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (name === "class") element.classList.add(...String(value).split(" "));
    else if (typeof value === "function") element.addEventListener(name.slice(2), value as EventListener);
    else if (name.startsWith("aria-") && value !== null && value !== undefined)
      element.setAttribute(name, String(value));
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) element.setAttribute(name, String(value));
  }
}

function append(parent: Element, children: Child[]): void {
  for (const child of children) {
    if (Array.isArray(child)) append(parent, child);
    else if (child instanceof Node) parent.append(child);
    else if (child !== null && child !== undefined && child !== false) appendText(parent, String(child));
  }
}

/** Chess signs that many fonts lack: the stylesheet draws them, and the text stays for readers and copies. */
const SIGNS = /([⩲⩱⌓])/;

function appendText(parent: Element, text: string): void {
  if (!(parent instanceof HTMLElement) || !SIGNS.test(text)) return parent.append(text);
  for (const part of text.split(SIGNS)) parent.append(SIGNS.test(part) ? signElement(part) : part);
}

function signElement(sign: string): HTMLElement {
  const element = document.createElement("span");
  element.className = "sign";
  element.dataset.sign = sign;
  element.textContent = sign;
  return element;
}

/** Scrolls `inner` into sight within `outer`, and nothing else: the page stays where it is. */
export function reveal(inner: Element | null, outer: Element): void {
  if (!inner || outer.scrollHeight <= outer.clientHeight) return;
  const [part, whole] = [inner.getBoundingClientRect(), outer.getBoundingClientRect()];
  if (part.top < whole.top || part.bottom > whole.bottom) outer.scrollTop += part.top - whole.top - whole.height / 3;
}

/** Calls `action` once when calls have paused for so many milliseconds. */
export function debounce<A extends unknown[]>(wait: number, action: (...args: A) => void): (...args: A) => void {
  let timer = 0;
  return (...args) => {
    clearTimeout(timer);
    timer = window.setTimeout(() => action(...args), wait);
  };
}

/** Calls `action` at once, then at most once in so many milliseconds; the last call is never dropped. */
export function throttle(wait: number, action: () => void): () => void {
  let timer = 0;
  let again = false;
  const run = () => {
    timer = 0;
    if (again) call();
  };
  const call = () => {
    again = timer !== 0;
    if (again) return;
    timer = window.setTimeout(run, wait);
    action();
  };
  return call;
}

/** `1 line`, `2 lines` */
export function count(number: number, noun: string, plural = noun + "s"): string {
  return `${number.toLocaleString("en")} ${number === 1 ? noun : plural}`;
}
