import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { codeOf, OTHER_WORDS } from './error-code.ts';
import type { ErrorCode } from './gateway.ts';
import { publishedWords } from './published-states.ts';
import { errorCodesFile, findGateway, gatewayNames, gateways, isKnownErrorCode } from './registry.ts';
import { readDocumented } from './testing/replay.ts';

describe.each(gateways)('the error codes of $name', ({ name, errorCodes: codes }) => {
  it('are each there once, with a section of the document, in the file that is named', () => {
    expect(codes.map(({ code }) => code).filter((code, at, all) => all.indexOf(code) !== at)).toEqual([]);
    for (const { section } of codes) expect(section.address).toMatch(/^https:\/\//);
    expect(existsSync(join(import.meta.dirname, '../../..', errorCodesFile(name)))).toBe(true);
  });

  it('are found by the words that they have', () => {
    for (const { code, words, message } of codes) {
      if (message !== undefined) expect([code, codeOf(codes, { message: words })]).toEqual([code, code]);
    }
  });
});

function codesOf(name: string): readonly ErrorCode[] {
  return findGateway(name)?.errorCodes ?? [];
}

describe('a refusal', () => {
  it('of a code that no table has keeps it, and of other words is counted as such, without them', () => {
    expect(codeOf(codesOf('paystack'), { code: 'new_code', message: 'Something new' })).toBe('new_code');
    expect(codeOf(codesOf('kora'), { message: 'No such thing for ada@example.com' })).toBe(OTHER_WORDS);
    expect(codeOf(codesOf('paystack'), { code: 'of ada@example.com' })).toBe(OTHER_WORDS);
    expect(isKnownErrorCode('paystack', 'new_code')).toBe(false);
    expect(isKnownErrorCode('elsewhere', 'failed')).toBe(false);
  });

  it.each(gatewayNames)('that %s documents is in its table', async (name) => {
    const gateway = findGateway(name);
    const refusals = readDocumented(name).examples.filter(
      ({ kind, topic, operation, status }) => kind === 'answer' && topic === 'error' && operation !== undefined && status < 500,
    );
    expect(gateway).not.toBeNull();
    const { api } = await import(`./${name}/api.ts`);
    const read = refusals.flatMap(({ status, body }) => {
      const refusal = api.readRefusal({ status, json: body });
      return refusal === null ? [] : [codeOf(api.errorCodes, refusal)];
    });
    expect(read.filter((code) => code !== OTHER_WORDS && !isKnownErrorCode(name, code) && code !== '429')).toEqual([]);
  });

  it('has the words by which a gateway says that a payment failed', () => {
    for (const name of gatewayNames) {
      const words = publishedWords(name, 'transaction') ?? [];
      const failed = words.filter((word) => /^(failed|payment_failed)$/i.test(word));
      expect([name, failed.filter((word) => !isKnownErrorCode(name, word))]).toEqual([name, []]);
    }
  });
});
