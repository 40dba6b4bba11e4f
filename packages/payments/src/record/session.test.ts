import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { withPaymentId } from './session.ts';

const id = '0190a0a0-0000-7000-8000-000000000000';

describe('the address a customer returns to', () => {
  test.each([
    ['https://shop.example/thanks', `https://shop.example/thanks?paymentId=${id}`],
    ['https://shop.example', `https://shop.example?paymentId=${id}`],
    ['https://shop.example/?a=1', `https://shop.example/?a=1&paymentId=${id}`],
    ['https://shop.example/?a=1#done', `https://shop.example/?a=1&paymentId=${id}#done`],
    ['https://shop.example/?paymentId=old&a=1', `https://shop.example/?a=1&paymentId=${id}`],
    ['https://shop.example/?payment%49d=old', `https://shop.example/?paymentId=${id}`],
    ['https://shop.example/?a=%20b+c&a=&flag', `https://shop.example/?a=%20b+c&a=&flag&paymentId=${id}`],
    ['https://shop.example/#/route?paymentId=kept', `https://shop.example/?paymentId=${id}#/route?paymentId=kept`],
    ['https://bücher.example/größe?für=1#ü', `https://xn--bcher-kva.example/gr%C3%B6%C3%9Fe?f%C3%BCr=1&paymentId=${id}#%C3%BC`],
    ['https://shop.example/?', `https://shop.example/?paymentId=${id}`],
  ])('%s becomes %s', (given, expected) => expect(withPaymentId(given, id)).toBe(expected));

  test('has exactly one paymentId, and every other parameter in its order, for any query', () => {
    const pairs = fc.array(fc.tuple(fc.string(), fc.string()));
    fc.assert(
      fc.property(fc.webUrl({ withFragments: true }), pairs, (base, given) => {
        const url = new URL(base);
        for (const [name, value] of given) url.searchParams.append(name, value);
        const result = new URL(withPaymentId(url.href, id));
        expect(result.searchParams.getAll('paymentId')).toEqual([id]);
        expect([...result.searchParams].filter(([name]) => name !== 'paymentId')).toEqual(
          [...url.searchParams].filter(([name]) => name !== 'paymentId'),
        );
        expect([result.origin, result.pathname, result.hash]).toEqual([url.origin, url.pathname, url.hash]);
      }),
    );
  });
});
