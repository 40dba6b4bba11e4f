/**
 * Where what floats beside an element belongs: in its open dialog, which makes the rest of the page inert; else in the page's own
 * content.
 */
export function floatingContainer(element: Element | undefined): HTMLElement {
  return element?.closest<HTMLElement>('dialog[open]') ?? document.getElementById('content') ?? document.body;
}
