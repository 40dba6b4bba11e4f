/** Deepest nesting taken from the wire; real answers stay under 8. */
const maxDepth = 32;
/** Number of digits that a double always preserves. */
const exactDigits = 15;

const numberPattern = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/**
 * Reads untrusted JSON: bounded in depth and exact in its numbers. A number that a double might not hold exactly
 * (more than 15 digits, or with an exponent) comes back as its own text, so 64-bit ids and amounts lose nothing.
 * Undefined when the text is not JSON or nests too deep. The caller bounds the length.
 */
export function parseWireJson(text: string): unknown {
  const exact = quoteInexactNumbers(text);
  if (exact === null) return undefined;
  try {
    return JSON.parse(exact);
  } catch {
    return undefined;
  }
}

/** Null when the nesting is too deep, which is found before the parser or any walk over its result could suffer from it. */
function quoteInexactNumbers(text: string): string | null {
  const pieces: string[] = [];
  let copied = 0;
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 0x22) {
      at = endOfString(text, at);
    } else if (code === 0x7b || code === 0x5b) {
      depth += 1;
      if (depth > maxDepth) return null;
    } else if (code === 0x7d || code === 0x5d) {
      depth -= 1;
    } else if (startsNumber(code)) {
      const end = endOfNumber(text, at);
      const token = text.slice(at, end);
      if (isInexact(token)) {
        pieces.push(text.slice(copied, at), `"${token}"`);
        copied = end;
      }
      at = end - 1;
    }
  }
  return copied === 0 ? text : pieces.join('') + text.slice(copied);
}

function isInexact(token: string): boolean {
  const hasExponent = token.includes('e') || token.includes('E');
  if (token.length <= exactDigits && !hasExponent) return false;
  if (!numberPattern.test(token)) return false;
  return hasExponent || token.replace(/\D/g, '').length > exactDigits;
}

function startsNumber(code: number): boolean {
  return code === 0x2d || (code >= 0x30 && code <= 0x39);
}

/** Index of the closing quote, or of the last character when there is none. */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 0x5c) at += 1;
    else if (code === 0x22) return at;
  }
  return text.length - 1;
}

function endOfNumber(text: string, start: number): number {
  let end = start + 1;
  while (end < text.length && inNumber(text.charCodeAt(end))) end += 1;
  return end;
}

/** A digit, or one of `+ - . E e`. */
function inNumber(code: number): boolean {
  return (code >= 0x30 && code <= 0x39) || code === 0x2b || code === 0x2d || code === 0x2e || code === 0x45 || code === 0x65;
}
