import type { MetadataCondition, MetadataKey, MetadataValue, RoutablePayment, Rule } from '../types.ts';

/*
 * The conditions of rules as documented, read without anything of the engine: slow, and plain to check against the documents.
 */

/** True if a rule matches a payment. */
export function matchesNaively(rule: Rule, payment: RoutablePayment, keys: readonly MetadataKey[]): boolean {
  const { when } = rule;
  if (!rule.enabled || payment.method === null) return false;
  if (when.currency !== payment.currency || !when.methods.includes(payment.method)) return false;
  if (payment.amount < when.amount.from || (when.amount.to !== null && payment.amount > when.amount.to)) return false;
  if (when.countries && !when.countries.some((country) => country === payment.customerCountry)) return false;
  if (when.customer && payment.keys?.customer !== when.customer) return false;
  if (!isOnDay(when.weekdays, payment.keys?.time) || !isInHours(when.hours, payment.keys?.time)) return false;
  return (when.metadata ?? []).every((condition) => {
    const key = keys.find(({ name }) => name === condition.key);
    return key !== undefined && holds(condition, key, payment.keys?.metadata?.[condition.key]);
  });
}

function isOnDay(weekdays: Rule['when']['weekdays'], time: string | undefined): boolean {
  return weekdays === undefined || weekdays.some((day) => day === time?.split(' ')[0]);
}

/** Times of day compare as text does: all have two digits each. */
function isInHours(hours: Rule['when']['hours'], time: string | undefined): boolean {
  if (hours === undefined) return true;
  const now = time?.split(' ')[1];
  if (now === undefined) return false;
  return hours.from < hours.to ? hours.from <= now && now < hours.to : now >= hours.from || now < hours.to;
}

function holds(condition: MetadataCondition, key: MetadataKey, value: MetadataValue | undefined): boolean {
  if (condition.is === 'present') return value !== undefined;
  if (condition.is === 'absent') return value === undefined;
  if (value === undefined) return 'orAbsent' in condition && condition.orAbsent === true;
  if (condition.is === 'between') {
    return (
      typeof value === 'number' &&
      !(condition.from !== null && value < condition.from) &&
      !(condition.to !== null && value > condition.to)
    );
  }
  const ignoreCase = 'ignoreCase' in key && key.ignoreCase === true;
  const same = (named: string | boolean) => {
    if (typeof named !== 'string' || typeof value !== 'string') return named === value;
    const [left, right] = [named.normalize('NFC'), value.normalize('NFC')];
    return ignoreCase ? left.toLowerCase() === right.toLowerCase() : left === right;
  };
  return 'values' in condition && condition.values.some(same) === (condition.is === 'one_of');
}

/** A payment's value of a key as documented, from the metadata that a merchant sent. */
export function readNaively(key: MetadataKey, metadata: Readonly<Record<string, unknown>>): MetadataValue | undefined {
  const sent = metadata[key.name];
  const text = typeof sent === 'string' ? sent : typeof sent === 'number' && Number.isInteger(sent) ? String(sent) : undefined;
  if (key.type === 'boolean')
    return sent === true || sent === 'true' ? true : sent === false || sent === 'false' ? false : undefined;
  if (key.type === 'integer')
    return text !== undefined && String(Number(text)) === text && Number.isInteger(Number(text)) ? Number(text) : undefined;
  if (text === undefined) return undefined;
  const ignoreCase = 'ignoreCase' in key && key.ignoreCase === true;
  const plain = (each: string) => (ignoreCase ? each.normalize('NFC').toLowerCase() : each.normalize('NFC'));
  return 'values' in key ? key.values.find((value) => plain(value) === plain(text)) : plain(text);
}
