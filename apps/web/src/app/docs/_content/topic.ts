import type { ReactNode } from 'react';

/** A part of a page with an address of its own. */
export interface Section {
  readonly id: string;
  readonly title: string;
  readonly body: ReactNode;
}

/** A page of documentation, at `/docs/<slug>`. */
export interface Topic {
  readonly slug: string;
  /** Its name in the navigation. */
  readonly label: string;
  readonly title: string;
  /** The reader's gain, in a sentence or two. */
  readonly lead: ReactNode;
  readonly sections: readonly Section[];
}
