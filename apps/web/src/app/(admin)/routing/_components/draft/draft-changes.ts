/** The save state of a draft. */
export type SaveState =
  | { readonly kind: 'saved' }
  | { readonly kind: 'waiting' }
  | { readonly kind: 'saving' }
  /** It was not stored and stays here; `message` is the reason. */
  | { readonly kind: 'failed'; readonly message: string }
  /** Another person saved first. Nothing is stored until the conflict is resolved. */
  | { readonly kind: 'conflict' };

/** The server's answer to a save. */
export type SaveOutcome =
  | { readonly kind: 'saved'; readonly revision: number }
  | { readonly kind: 'conflict' }
  | { readonly kind: 'refused'; readonly message: string };

interface DraftSaverSetup<Document> {
  readonly revision: number;
  readonly save: (document: Document, revision: number) => Promise<SaveOutcome>;
  readonly onState: (state: SaveState) => void;
  /** Calls back a little later; returns what prevents it. */
  readonly later: (run: () => void) => () => void;
}

/**
 * Stores a draft as it is written: one call at a time, always the latest document, each on the revision of the one before. A
 * document that could not be stored is tried again with the next change or flush; after a conflict nothing is stored until
 * `adopt`, so that no one's changes are overwritten unseen.
 */
export class DraftSaver<Document> {
  readonly #setup: DraftSaverSetup<Document>;
  #revision: number;
  #waiting: { readonly document: Document } | null = null;
  /** Resolves to false where a change could not be stored; never rejects. */
  #running: Promise<boolean> | null = null;
  #cancel: (() => void) | null = null;
  #isBlocked = false;

  constructor(setup: DraftSaverSetup<Document>) {
    this.#setup = setup;
    this.#revision = setup.revision;
  }

  get revision(): number {
    return this.#revision;
  }

  /** True if there are unsaved changes. */
  get isDirty(): boolean {
    return this.#waiting !== null || this.#running !== null;
  }

  /** Saves this after a short delay, together with later changes. */
  change(document: Document): void {
    this.#waiting = { document };
    if (this.#isBlocked) return;
    this.#setup.onState({ kind: 'waiting' });
    this.stop();
    this.#cancel = this.#setup.later(() => void this.#start());
  }

  /** Stores at once what is not stored yet; true when all of it is. */
  async flush(): Promise<boolean> {
    await this.#running;
    await this.#start();
    return this.#waiting === null;
  }

  /**
   * Runs another save of the draft in its turn: after the changes so far, and before later ones, so that neither is refused for the
   * revision that the other stores. Null, and not run, where the changes could not be stored. Rejects where `save` does.
   */
  async saveInTurn(save: (revision: number) => Promise<SaveOutcome>): Promise<SaveOutcome | null> {
    while (this.#running !== null || this.#waiting !== null) {
      if (!(await (this.#running ?? this.#start()))) return null;
    }
    const saving = save(this.#revision);
    this.#running = saving
      .then(
        (outcome) => {
          if (outcome.kind === 'saved') this.#revision = outcome.revision;
          return true;
        },
        () => true,
      )
      .finally(() => {
        this.#running = null;
        // A change whose delay is over waited for its turn.
        if (this.#waiting !== null && this.#cancel === null) void this.#start();
      });
    await this.#running;
    return saving;
  }

  /** Continues from a revision that was stored otherwise. Drops unsaved changes; the caller keeps them if they are needed. */
  adopt(revision: number): void {
    this.stop();
    this.#revision = revision;
    this.#waiting = null;
    this.#isBlocked = false;
    this.#setup.onState({ kind: 'saved' });
  }

  /** Starts no more saves; a running one completes. */
  stop(): void {
    this.#cancel?.();
    this.#cancel = null;
  }

  #start(): Promise<boolean> {
    this.stop();
    this.#running ??= this.#drain().finally(() => {
      this.#running = null;
    });
    return this.#running;
  }

  /** Stores pending documents, also those that arrive during a call, until one is not stored. */
  async #drain(): Promise<boolean> {
    let isStored = !this.#isBlocked;
    while (isStored && this.#waiting !== null) {
      const { document } = this.#waiting;
      this.#waiting = null;
      isStored = await this.#store(document);
    }
    return isStored;
  }

  /** True if it was stored. */
  async #store(document: Document): Promise<boolean> {
    const { save, onState } = this.#setup;
    onState({ kind: 'saving' });
    try {
      const outcome = await save(document, this.#revision);
      if (outcome.kind === 'saved') {
        this.#revision = outcome.revision;
        if (this.#waiting === null) onState({ kind: 'saved' });
        return true;
      }
      this.#isBlocked = outcome.kind === 'conflict';
      onState(outcome.kind === 'conflict' ? { kind: 'conflict' } : { kind: 'failed', message: outcome.message });
    } catch (error) {
      onState({ kind: 'failed', message: error instanceof Error ? error.message : 'The server did not answer.' });
    }
    this.#waiting ??= { document };
    return false;
  }
}

/** The undo history of a value. */
interface History<State> {
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
