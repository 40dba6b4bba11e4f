import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { html } from '../pages/html.ts';
import { match } from './router.ts';

const routes = [
  { method: 'GET', pattern: '/transaction/verify/:reference' },
  { method: 'GET', pattern: '/transaction/:id' },
  { method: 'POST', pattern: '/transaction/:id' },
];

describe('match', () => {
  it('returns any parameter exactly as it was before encoding', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1, unit: 'grapheme' }), (reference) => {
        const found = match(routes, 'GET', `/transaction/verify/${encodeURIComponent(reference)}`);
        return found.kind === 'found' && found.params.reference === reference;
      }),
    );
  });

  it('distinguishes an unknown path from a wrong method, and matches no empty or broken segment', () => {
    expect(match(routes, 'PUT', '/transaction/1')).toEqual({ kind: 'wrong_method', allow: ['GET', 'POST'] });
    expect(match(routes, 'GET', '/transaction/verify/').kind).toBe('unknown');
    expect(match(routes, 'GET', '/transaction/%E0%A4%A').kind).toBe('unknown');
    expect(match(routes, 'GET', '/nowhere').kind).toBe('unknown');
  });
});

describe('html', () => {
  it('escapes every value', () => {
    fc.assert(
      fc.property(fc.string(), (value) => {
        const { text } = html`<p title="${value}">${value}</p>`;
        return text.split('<').length === 3 && text.split('"').length === 3;
      }),
    );
  });
});
