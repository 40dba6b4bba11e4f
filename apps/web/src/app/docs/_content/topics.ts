import { Children, isValidElement, type ReactElement, type ReactNode } from 'react';
import { Section } from '../_components/prose.tsx';
import ApiChangelog, { page as apiChangelog } from './api-changelog.mdx';
import Errors, { page as errors } from './errors.mdx';
import GoingLive, { page as goingLive } from './going-live.mdx';
import Idempotency, { page as idempotency } from './idempotency.mdx';
import Lists, { page as lists } from './lists.mdx';
import Migrating, { page as migrating } from './migrating.mdx';
import Payments, { page as payments } from './payments.mdx';
import Quickstart, { page as quickstart } from './quickstart.mdx';
import RateLimits, { page as rateLimits } from './rate-limits.mdx';
import Refunds, { page as refunds } from './refunds.mdx';
import Testing, { page as testing } from './testing.mdx';
import Tools, { page as tools } from './tools.mdx';
import Versions, { page as versions } from './versions.mdx';
import Webhooks, { page as webhooks } from './webhooks.mdx';

/** A part of a page with an address of its own. */
interface TopicSection {
  readonly id: string;
  readonly title: string;
  readonly body: ReactNode;
}

/** Facts that a page exports beside its text. */
interface PageFacts {
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
  readonly sections: readonly TopicSection[];
}

/** The topics in the order in which an integration needs them. */
export const TOPIC_GROUPS: readonly { readonly title: string; readonly topics: readonly Topic[] }[] = [
  { title: 'Get started', topics: [read(quickstart, Quickstart), read(tools, Tools), read(migrating, Migrating)] },
  {
    title: 'Take payments',
    topics: [read(payments, Payments), read(webhooks, Webhooks), read(refunds, Refunds), read(lists, Lists)],
  },
  { title: 'Get it right', topics: [read(errors, Errors), read(idempotency, Idempotency), read(rateLimits, RateLimits)] },
  { title: 'Ship it', topics: [read(testing, Testing), read(goingLive, GoingLive)] },
  { title: 'Stay current', topics: [read(versions, Versions), read(apiChangelog, ApiChangelog)] },
];

/** Every topic, in that order. */
export const TOPICS: readonly Topic[] = TOPIC_GROUPS.flatMap(({ topics }) => topics);

/** Reads a page into its sections, for its list of contents and for the search. Throws on text that is in none. */
function read(page: PageFacts, Content: typeof Quickstart): Topic {
  const { children } = Content({}).props;
  const sections = Children.toArray(children).filter((child) => typeof child !== 'string' || child.trim() !== '');
  return {
    ...page,
    sections: sections.map((section) => {
      if (!isSection(section)) throw new Error(`the page ${page.slug} has text outside of its sections`);
      const { id, title, children: body } = section.props;
      return { id, title, body };
    }),
  };
}

function isSection(child: ReactNode): child is ReactElement<Parameters<typeof Section>[0]> {
  return isValidElement(child) && child.type === Section;
}
