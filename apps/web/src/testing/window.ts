import { vi } from 'vitest';

/** Web storage in memory, which can be made to refuse as a browser does that blocks site data. */
export class MemoryStorage {
  isBlocked = false;
  readonly #entries = new Map<string, string>();

  getItem(key: string): string | null {
    this.#check();
    return this.#entries.get(key) ?? null;
  }

  setItem(key: string, value: string): void {
    this.#check();
    this.#entries.set(key, value);
  }

  removeItem(key: string): void {
    this.#check();
    this.#entries.delete(key);
  }

  #check(): void {
    if (this.isBlocked) throw new DOMException('The operation is insecure.', 'SecurityError');
  }
}

/** An element as far as React needs one to mount a component without output, and a hook to read the target of a key press. */
class EmptyElement extends EventTarget {
  readonly nodeType = 1;
  readonly nodeName: string;
  readonly tagName: string;
  readonly namespaceURI = 'http://www.w3.org/1999/xhtml';
  readonly isContentEditable = false;
  readonly ownerDocument: EmptyDocument;
  textContent = '';

  constructor(ownerDocument: EmptyDocument, tagName: string) {
    super();
    this.ownerDocument = ownerDocument;
    this.tagName = tagName;
    this.nodeName = tagName;
  }
}

class EmptyDocument extends EventTarget {
  readonly nodeType = 9;
  readonly activeElement = null;
  readonly defaultView: Window;
  visibilityState = 'visible';

  constructor(view: Window) {
    super();
    this.defaultView = view;
  }

  createElement(tagName: string): EmptyElement {
    return this.emptyElement(tagName);
  }

  /** The return value of `createElement`; a suite that replaces that one gives it the properties the code under test sets. */
  emptyElement(tagName: string): EmptyElement {
    return new EmptyElement(this, tagName.toUpperCase());
  }

  /** The document is empty: it has no dialog and no search field. */
  querySelector(): null {
    return null;
  }
}

class Window extends EventTarget {
  readonly HTMLElement = EmptyElement;
  readonly HTMLIFrameElement = class {};
  readonly document = new EmptyDocument(this);
  readonly localStorage = new MemoryStorage();
  readonly sessionStorage = new MemoryStorage();
  readonly location = {
    href: 'https://switchyard.example/',
    pathname: '/',
    search: '',
    hash: '',
    assign: vi.fn<(address: string) => void>(),
  };
}

/**
 * Gives the suite a window of its own. React is loaded before, so that it does not look for features of a document that is empty.
 */
export function openWindow(): Window {
  const window = new Window();
  vi.stubGlobal('window', window);
  vi.stubGlobal('document', window.document);
  vi.stubGlobal('location', window.location);
  vi.stubGlobal('HTMLElement', window.HTMLElement);
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  return window;
}

interface KeyPress {
  readonly ctrlKey?: boolean;
  readonly metaKey?: boolean;
  readonly altKey?: boolean;
  /** Milliseconds since the page was opened. */
  readonly at?: number;
  /** The element that has the focus. */
  readonly target?: EventTarget;
}

/** A key as a keyboard event carries it. */
export function keydown(key: string, press: KeyPress = {}): Event {
  const { at, target, ...modifiers } = press;
  const event = new Event('keydown', { cancelable: true });
  const fields = { key, ctrlKey: false, metaKey: false, altKey: false, shiftKey: false, isComposing: false, ...modifiers };
  for (const [name, value] of Object.entries(fields)) Object.defineProperty(event, name, { value });
  if (at !== undefined) Object.defineProperty(event, 'timeStamp', { value: at });
  if (target !== undefined) Object.defineProperty(event, 'target', { value: target });
  return event;
}
