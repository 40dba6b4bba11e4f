import type { CustomerHistory, MetadataKey, MetadataValue, PaymentKeys, Rule, RuleSet } from '../types.ts';
import { weekTimeAt } from './week-time.ts';

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

/** The conditions of a rule beyond currency, method, amount and country. */
export type KeyConditions = Pick<Rule['when'], 'metadata' | 'weekdays' | 'hours' | 'customer'>;

/** True if a rule has a condition beyond currency, method, amount and country. */
export function comparesKeys({ metadata, weekdays, hours, customer }: KeyConditions): boolean {
  return (
    (metadata !== undefined && metadata.length > 0) || weekdays !== undefined || hours !== undefined || customer !== undefined
  );
}

/** The keys that the enabled rules of rule sets compare. */
export interface UsedKeys {
  readonly metadata: readonly MetadataKey[];
  readonly time: boolean;
  readonly customer: boolean;
}

/** The keys that the enabled rules of some rule sets compare; null for none. Of a key declared twice, the first declaration counts. */
export function usedKeys(...ruleSets: readonly Pick<RuleSet, 'keys' | 'rules'>[]): UsedKeys | null {
  const metadata = new Map<string, MetadataKey>();
  let time = false;
  let customer = false;
  for (const { keys = [], rules } of ruleSets) {
    for (const { enabled, when } of rules) {
      if (!enabled || !comparesKeys(when)) continue;
      time ||= when.weekdays !== undefined || when.hours !== undefined;
      customer ||= when.customer !== undefined;
      for (const { key: name } of when.metadata ?? []) {
        const key = metadata.has(name) ? undefined : keys.find((each) => each.name === name);
        if (key !== undefined) metadata.set(name, key);
      }
    }
  }
  if (metadata.size === 0 && !time && !customer) return null;
  return { metadata: Array.from(metadata.values()), time, customer };
}

/** Where a payment's values of keys come from. */
export interface KeySources {
  /** As the merchant sent it. */
  readonly metadata: unknown;
  readonly at: Date;
  /** The merchant's IANA time zone. */
  readonly timeZone: string;
  /** Null where it is not known. */
  readonly customer: CustomerHistory | null;
}

/** A payment's values of the keys that are used; those that are not used are left out. */
export function readPaymentKeys(used: UsedKeys, { metadata, at, timeZone, customer }: KeySources): PaymentKeys {
  const values: Record<string, MetadataValue> = {};
  for (const key of used.metadata) {
    const value = readMetadataValue(key, metadata);
    if (value !== undefined) values[key.name] = value;
  }
  return {
    ...(used.metadata.length > 0 && { metadata: values }),
    ...(used.time && { time: weekTimeAt(at, timeZone) }),
    ...(used.customer && customer !== null && { customer }),
  };
}

/** A payment's value of a metadata key; undefined where it is absent. */
export function keyValue({ metadata }: PaymentKeys, name: string): MetadataValue | undefined {
  return metadata !== undefined && Object.hasOwn(metadata, name) ? metadata[name] : undefined;
}

/** Values of keys that were written down, as in an expectation, as they are compared: those of no declared key or of another type are absent. */
export function comparedKeys(keys: PaymentKeys, declared: readonly MetadataKey[]): PaymentKeys {
  const { metadata, ...rest } = keys;
  if (metadata === undefined) return rest;
  const values: Record<string, MetadataValue> = {};
  for (const key of declared) {
    const value = readMetadataValue(key, metadata);
    if (value !== undefined) values[key.name] = value;
  }
  return { ...rest, metadata: values };
}
