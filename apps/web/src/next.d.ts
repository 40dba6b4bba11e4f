/// <reference types="next" />
/// <reference types="next/image-types/global" />

/** A font file: its address. */
declare module '*.woff2' {
  const address: string;
  export default address;
}

/** A page of documentation: its text, and what is said of it elsewhere. */
declare module '*.mdx' {
  import type { ReactElement, ReactNode } from 'react';
  import type { PageFacts } from './app/docs/_content/topics.ts';

  export const page: PageFacts;
  export default function MDXContent(props: Readonly<Record<string, never>>): ReactElement<{ children?: ReactNode }>;
}
