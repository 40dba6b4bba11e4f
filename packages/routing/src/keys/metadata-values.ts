import type { MetadataKey, MetadataValue } from '../types.ts';

/** Most characters of a text that rules compare; a longer one is absent. */
export const VALUE_CHARS_MAX = 200;

/** Text as it is compared. */
export function normalText(text: string, { ignoreCase = false }: { readonly ignoreCase?: boolean }): string {
  const normal = text.normalize('NFC');
  return ignoreCase ? normal.toLowerCase() : normal;
}

/**
 * A payment's value of a key, as rules compare it; undefined where it is absent, or is no value of the key's type. Numbers and truth values
 * may be sent as text, and whole numbers for text, since many shops send all as text. A value of an enum is in its declared spelling.
 */
export function readMetadataValue(key: MetadataKey, metadata: unknown): MetadataValue | undefined {
  if (typeof metadata !== 'object' || metadata === null || !Object.hasOwn(metadata, key.name)) return undefined;
  const sent: unknown = Reflect.get(metadata, key.name);
  switch (key.type) {
    case 'integer': {
      const number = typeof sent === 'string' && /^-?\d{1,15}$/.test(sent) ? Number(sent) : sent;
      return typeof number === 'number' && Number.isSafeInteger(number) ? number + 0 : undefined;
    }
    case 'boolean':
      if (typeof sent === 'boolean') return sent;
      return sent === 'true' ? true : sent === 'false' ? false : undefined;
    case 'string': {
      const text = textOf(sent);
      return text === undefined || text.length > VALUE_CHARS_MAX ? undefined : normalText(text, key);
    }
    case 'enum': {
      const text = textOf(sent);
      return text === undefined ? undefined : declaredSpelling(key, text);
    }
    default:
      return key satisfies never;
  }
}

function textOf(sent: unknown): string | undefined {
  if (typeof sent === 'string') return sent;
  return typeof sent === 'number' && Number.isSafeInteger(sent) ? String(sent) : undefined;
}

/** The declared value that a text is, or undefined. */
export function declaredSpelling(key: Extract<MetadataKey, { type: 'enum' }>, text: string): string | undefined {
  const normal = normalText(text, key);
  return key.values.find((value) => normalText(value, key) === normal);
}

/** A value that a rule names, as it is compared with those of payments. */
export function namedValue(key: MetadataKey | undefined, value: string | boolean): string | boolean {
  if (typeof value === 'boolean' || key === undefined) return value;
  if (key.type === 'enum') return declaredSpelling(key, value) ?? value;
  return key.type === 'string' ? normalText(value, key) : value;
}
