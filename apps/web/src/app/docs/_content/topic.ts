import type { ReactNode } from 'react';

/** A part of a page with an address of its own. */
export interface Section {
  readonly id: string;
  readonly title: string;
  readonly body: ReactNode;
}

/** Facts that a page exports beside its text. */
export interface PageFacts {
  /** The page is at `/docs/<slug>`. */
  readonly slug: string;
  /** Its name in the navigation. */
  readonly label: string;
  readonly title: string;
  /** The reader's gain, in a sentence or two. */
  readonly lead: string;
}

/** A page of documentation. */
export interface Topic extends PageFacts {
  readonly sections: readonly Section[];
}
