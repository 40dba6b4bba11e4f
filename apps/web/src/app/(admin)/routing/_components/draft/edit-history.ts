/** The undo history of a value. */
export interface History<State> {
  readonly past: readonly { readonly state: State; readonly did: string }[];
  readonly present: State;
  readonly future: readonly { readonly state: State; readonly did: string }[];
}

/** A step of the editing history. */
export type HistoryAction<State> =
  /** `did` names the step; steps of one `run` in a row are one step, as the letters of a word are. */
  | { readonly kind: 'do'; readonly state: State; readonly did: string; readonly run?: string }
  | { readonly kind: 'undo' }
  | { readonly kind: 'redo' }
  /** Another person's state replaces this one; own changes can still be restored by undo. */
  | { readonly kind: 'replace'; readonly state: State };

/** The editing history with the run in progress. */
export interface Steps<State> extends History<State> {
  /** The run that the last step belongs to. */
  readonly run: string | null;
}

const STEPS_MAX = 200;

/** A history without steps. */
export function createHistory<State>(present: State): Steps<State> {
  return { past: [], present, future: [], run: null };
}

/** Applies an action. Undo and redo lose nothing until a new step is made. */
export function stepHistory<State>(steps: Steps<State>, action: HistoryAction<State>): Steps<State> {
  const { past, present, future } = steps;
  switch (action.kind) {
    case 'do': {
      const run = action.run ?? null;
      const continuesRun = run !== null && run === steps.run && past.length > 0;
      const earlier = continuesRun ? past : [...past, { state: present, did: action.did }].slice(-STEPS_MAX);
      return { past: earlier, present: action.state, future: [], run };
    }
    case 'undo': {
      const last = past.at(-1);
      if (last === undefined) return steps;
      const undone = { state: present, did: last.did };
      return { past: past.slice(0, -1), present: last.state, future: [undone, ...future], run: null };
    }
    case 'redo': {
      const [next, ...later] = future;
      if (next === undefined) return steps;
      return { past: [...past, { state: present, did: next.did }], present: next.state, future: later, run: null };
    }
    case 'replace':
      return {
        past: [...past, { state: present, did: 'Taking over what another person saved' }].slice(-STEPS_MAX),
        present: action.state,
        future: [],
        run: null,
      };
    default:
      return action satisfies never;
  }
}
