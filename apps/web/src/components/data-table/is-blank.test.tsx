import { expect, test } from 'vitest';
import { isBlank } from './is-blank.ts';

const Word = () => null;

test.each([
  ['nothing', null],
  ['a condition that does not hold', false],
  ['a dash', '–'],
  ['a dash in an element', <span key="a">–</span>],
  [
    'a fragment without content',
    <>
      {null} {false}
    </>,
  ],
  ['elements without content', [<div key="a" />, <span key="b"> </span>]],
])('%s says nothing', (_, node) => expect(isBlank(node)).toBe(true));

test.each([
  ['a number of none', 0],
  ['a text', 'paystack'],
  ['a minus before a number', '−5'],
  ['a text deep in elements', <span key="a">{[null, <div key="b">–{'x'}</div>]}</span>],
  ['a control', <input key="a" />],
  ['a component, whatever it shows', <Word key="a" />],
])('%s says something', (_, node) => expect(isBlank(node)).toBe(false));
