import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createHistory, DraftSaver, type SaveOutcome, type SaveState, stepHistory } from './draft-changes.ts';

/** A server that stores one document, and a clock that the test advances. */
function stage() {
  const stored = { document: '', revision: 1 };
  const states: SaveState[] = [];
  const timers: (() => void)[] = [];
  const calls = { open: 0, most: 0 };
  let answer: (document: string) => SaveOutcome | Promise<never> = (document) => {
    stored.document = document;
    stored.revision += 1;
    return { kind: 'saved', revision: stored.revision };
  };
  async function save(document: string, revision: number): Promise<SaveOutcome> {
    calls.open += 1;
    calls.most = Math.max(calls.most, calls.open);
    await Promise.resolve();
    try {
      return revision === stored.revision ? await answer(document) : { kind: 'conflict' };
    } finally {
      calls.open -= 1;
    }
  }
  const saver = new DraftSaver<string>({
    revision: 1,
    save,
    onState: (state) => states.push(state),
    later(run) {
      timers.push(run);
      return () => void timers.splice(timers.indexOf(run) >>> 0, 1);
    },
  });
  return {
    saver,
    save,
    stored,
    states,
    calls,
    timers,
    answerWith: (next: typeof answer) => {
      answer = next;
    },
  };
}

describe('a draft that is being written', () => {
  test('is stored as it was last, in one call at a time, however changes and pauses fall', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.oneof(fc.string(), fc.constant(null)), { maxLength: 30 }), async (steps) => {
        const { saver, stored, calls, timers, states } = stage();
        for (const step of steps) {
          if (step !== null) saver.change(step);
          else timers.shift()?.();
          if (step?.length === 1) await Promise.resolve();
        }
        expect(await saver.flush()).toBe(true);
        expect(stored.document).toBe(steps.findLast((step) => step !== null) ?? '');
        expect([saver.isDirty, saver.revision]).toEqual([false, stored.revision]);
        expect(calls.most).toBeLessThanOrEqual(1);
        if (steps.some((step) => step !== null)) expect(states.at(-1)).toEqual({ kind: 'saved' });
      }),
    );
  });

  test('is stored in one call at a time and never against itself, whatever else of it is saved between', async () => {
    const step = fc.oneof(fc.string(), fc.constant(null), fc.constant('save otherwise' as const));
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
        const { saver, stored, calls, timers, states, save } = stage();
        const others: Promise<SaveOutcome | null>[] = [];
        for (const each of steps) {
          if (each === 'save otherwise') others.push(saver.saveInTurn((revision) => save(stored.document, revision)));
          else if (each !== null) saver.change(each);
          else timers.shift()?.();
          if (each === null) await Promise.resolve();
        }
        expect((await Promise.all(others)).every((outcome) => outcome?.kind === 'saved')).toBe(true);
        expect(await saver.flush()).toBe(true);
        expect(stored.document).toBe(steps.findLast((each) => each !== null && each !== 'save otherwise') ?? '');
        expect([saver.isDirty, saver.revision, calls.most <= 1]).toEqual([false, stored.revision, true]);
        expect(states.some(({ kind }) => kind === 'conflict' || kind === 'failed')).toBe(false);
      }),
    );
  });

  test('goes on being stored after another save of it failed', async () => {
    const { saver, stored } = stage();
    const failing = saver.saveInTurn(() => Promise.reject(new Error('No network.')));
    saver.change('mine');
    await expect(failing).rejects.toThrow('No network.');
    expect(await saver.flush()).toBe(true);
    expect(stored.document).toBe('mine');
  });

  test('overwrites no other change: after another person saved, nothing is stored until the conflict is decided', async () => {
    const { saver, stored, states } = stage();
    stored.revision = 2;
    stored.document = 'theirs';
    saver.change('mine');
    expect(await saver.flush()).toBe(false);
    expect([states.at(-1)?.kind, stored.document, saver.isDirty]).toEqual(['conflict', 'theirs', true]);
    saver.change('mine, more of it');
    expect(await saver.flush()).toBe(false);
    expect(stored.document).toBe('theirs');
    saver.adopt(2);
    saver.change('both');
    expect(await saver.flush()).toBe(true);
    expect(stored.document).toBe('both');
  });

  test('stays here when the server refuses it or does not answer, and is stored once it does', async () => {
    const { saver, stored, states, answerWith } = stage();
    const wellBehaved = (document: string): SaveOutcome => {
      stored.document = document;
      stored.revision += 1;
      return { kind: 'saved', revision: stored.revision };
    };
    answerWith(() => Promise.reject(new Error('The network is away.')));
    saver.change('mine');
    expect(await saver.flush()).toBe(false);
    expect(states.at(-1)).toEqual({ kind: 'failed', message: 'The network is away.' });
    answerWith(() => ({ kind: 'refused', message: 'It is too large.' }));
    expect(await saver.flush()).toBe(false);
    expect(states.at(-1)).toEqual({ kind: 'failed', message: 'It is too large.' });
    answerWith(wellBehaved);
    expect(await saver.flush()).toBe(true);
    expect(stored.document).toBe('mine');
  });
});

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
