import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bytesOfMember } from './webhooks.ts';

/** How many times as much is drawn: `PROPERTY_TIMES=20` at night. */
const TIMES = Number(process.env.PROPERTY_TIMES ?? 1);

const dataOf = (body: string): string | null => {
  const bytes = bytesOfMember(Buffer.from(body, 'utf8'), 'data');
  return bytes === null ? null : Buffer.from(bytes).toString('utf8');
};

describe('bytesOfMember', () => {
  it.each([
    ['no blanks', '{"event":"e","data":{"a":1}}', '{"a":1}'],
    ['blanks around and within', ' {\n\t"event" : "e" ,\r\n "data" :\t{ "a" : 1 ,\n"b":2 } \n } ', '{ "a" : 1 ,\n"b":2 }'],
    ['first, with more after it', '{"data":{"a":1} , "event":"e"}', '{"a":1}'],
    ['unicode escapes', '{"data":{"name":"Ad\\u00e1 \\ud83d\\ude00"}}', '{"name":"Ad\\u00e1 \\ud83d\\ude00"}'],
    ['characters of several bytes', '{"événement":"é","data":{"name":"Adá 😀"}}', '{"name":"Adá 😀"}'],
    ['braces, quotes and commas in strings', '{"x":"}{,\\"data\\":{}","data":{"n":"}]\\"},{"}}', '{"n":"}]\\"},{"}'],
    ['backslashes before a quote', '{"x":"\\\\","data":{"n":"\\\\\\\\"}}', '{"n":"\\\\\\\\"}'],
    ['keys in any order', '{"data":{"z":1,"a":2,"10":3,"9":4}}', '{"z":1,"a":2,"10":3,"9":4}'],
    ['keys that are repeated', '{"data":{"a":1,"a":2}}', '{"a":1,"a":2}'],
    [
      'numbers such as 1.0',
      '{"data":{"amount":1.0,"fee":1e2,"big":12345678901234567890}}',
      '{"amount":1.0,"fee":1e2,"big":12345678901234567890}',
    ],
    [
      'nested objects and lists',
      '{"data":{"a":[{"data":{}},[]],"b":{"c":{}}},"e":[{"data":1}]}',
      '{"a":[{"data":{}},[]],"b":{"c":{}}}',
    ],
    ['another member called data deeper', '{"meta":{"data":{"not":"this"}},"data":{"this":1}}', '{"this":1}'],
    ['the word data as a value', '{"event":"data","data":{"a":1}}', '{"a":1}'],
    ['an escaped key', '{"d\\u0061ta":{"a":1}}', '{"a":1}'],
    ['an empty object', '{"data":{}}', '{}'],
    ['a value that is no object', '{"data": "text" }', '"text"'],
  ])('of a body with %s', (_, body, expected) => {
    expect(dataOf(body)).toBe(expected);
  });

  it.each([
    ['no such member', '{"event":"e"}'],
    ['two of them', '{"data":{"a":1},"data":{"a":2}}'],
    ['two of them, one escaped', '{"data":{"a":1},"\\u0064ata":{"a":2}}'],
    ['another spelling', '{"Data":{"a":1}}'],
    ['a list', '[{"data":{}}]'],
    ['null', 'null'],
    ['text', '"data"'],
    ['nothing', ''],
    ['half a body', '{"data":{"a":1}'],
    ['something after it', '{"data":{"a":1}}x'],
    ['nesting without end', '{"data":'.repeat(50_000)],
  ])('is null for %s', (_, body) => {
    expect(dataOf(body)).toBeNull();
  });

  it('is exactly what stood there, whatever stands around it', () => {
    const blanks = fc.array(fc.constantFrom(' ', '\t', '\n', '\r'), { maxLength: 3 }).map((parts) => parts.join(''));
    const members = fc.array(
      fc.tuple(
        fc.string().filter((key) => key !== 'data'),
        fc.jsonValue(),
      ),
      { maxLength: 4 },
    );
    fc.assert(
      fc.property(members, members, fc.jsonValue(), fc.nat({ max: 4 }), blanks, (before, after, value, indent, blank) => {
        const data = JSON.stringify(value, null, indent);
        const written = (list: readonly (readonly [string, unknown])[]) =>
          list.map(([key, each]) => `${blank}${JSON.stringify(key)}${blank}:${blank}${JSON.stringify(each)}${blank}`);
        const body = `${blank}{${[...written(before), `${blank}"data"${blank}:${blank}${data}${blank}`, ...written(after)].join(',')}}`;
        fc.pre(nestingOf(body) <= 32);
        expect(dataOf(body)).toBe(data);
      }),
      { numRuns: 100 * TIMES },
    );
  });

  it('never throws, whatever the bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        bytesOfMember(bytes, 'data');
      }),
      { numRuns: 100 * TIMES },
    );
  });
});

/** An upper bound of the nesting: brackets within strings count too. */
function nestingOf(text: string): number {
  return text.split(/[{[]/).length - 1;
}
