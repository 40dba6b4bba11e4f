import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createHistory, stepHistory } from './edit-history.ts';

test('undoing everything leads back to the beginning, and redoing everything to the end', () => {
  fc.assert(
    fc.property(fc.array(fc.integer(), { maxLength: 100 }), (states) => {
      let steps = createHistory(0);
      for (const state of states) steps = stepHistory(steps, { kind: 'do', state, did: 'x' });
      const end = steps.present;
      for (const _ of states) steps = stepHistory(steps, { kind: 'undo' });
      expect(steps.present).toBe(0);
      expect(stepHistory(steps, { kind: 'undo' })).toBe(steps);
      for (const _ of states) steps = stepHistory(steps, { kind: 'redo' });
      expect(steps.present).toBe(end);
      expect(stepHistory(steps, { kind: 'redo' })).toBe(steps);
    }),
  );
});

test('characters of one word are one step, and what another person saved can be undone', () => {
  let steps = createHistory('');
  for (const state of ['C', 'Ca', 'Car']) steps = stepHistory(steps, { kind: 'do', state, did: 'Name', run: 'name' });
  steps = stepHistory(steps, { kind: 'do', state: 'Car, off', did: 'Off' });
  steps = stepHistory(steps, { kind: 'replace', state: 'theirs' });
  const back = [];
  for (let n = 0; n < 3; n++) {
    steps = stepHistory(steps, { kind: 'undo' });
    back.push(steps.present);
  }
  expect(back).toEqual(['Car, off', 'Car', '']);
});

test('something new after an undo takes the place of what was undone', () => {
  let steps = stepHistory(createHistory(0), { kind: 'do', state: 1, did: 'x' });
  steps = stepHistory(stepHistory(steps, { kind: 'undo' }), { kind: 'do', state: 2, did: 'y' });
  expect([steps.future, steps.past.map(({ state }) => state), steps.present]).toEqual([[], [0], 2]);
});
