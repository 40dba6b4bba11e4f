/** A page of documentation: its text, and what is said of it elsewhere. */
declare module '*.mdx' {
  import type { ReactElement } from 'react';
  import type { PageFacts } from './app/docs/_content/topics.ts';

  export const page: PageFacts;
  export default function MDXContent(props: Readonly<Record<string, never>>): ReactElement<{ children?: ReactNode }>;
}
