import type { Metadata } from 'next';
import Link from 'next/link';
import { notFound } from 'next/navigation';
import type { ReactNode } from 'react';
import classes from '../_components/topic-view.module.css';
import { TOPICS, type Topic } from '../_content/topics.ts';

interface TopicProps {
  readonly params: Promise<{ topic: string }>;
}

export async function generateMetadata({ params }: TopicProps): Promise<Metadata> {
  const { topic } = await params;
  return { title: TOPICS.find(({ slug }) => slug === topic)?.title ?? 'Not found' };
}

/** One topic of the documentation, and the way to the next one. */
export default async function TopicPage({ params }: TopicProps) {
  const { topic } = await params;
  const at = TOPICS.findIndex(({ slug }) => slug === topic);
  const shown = TOPICS[at];
  if (shown === undefined) notFound();
  const next = TOPICS[at + 1] ?? { slug: 'api', label: 'API reference' };
  return (
    <TopicView topic={shown}>
      Next: <Link href={`/docs/${next.slug}`}>{next.label}</Link>
    </TopicView>
  );
}

/** A page of documentation: its sections, and beside them their list. `children` is what follows. */
function TopicView({ topic, children }: { topic: Topic; children?: ReactNode }) {
  const { title, lead, sections } = topic;
  return (
    <div className="grid grid-cols-1 gap-x-16 gap-y-0 max-w-[760px] mx-auto min-[1280px]:grid-cols-[minmax(0,760px)_200px] min-[1280px]:max-w-[1024px]">
      <article className={classes.article}>
        <h1 className="text-[28px] font-[650] leading-[1.2] tracking-[-0.02em]">{title}</h1>
        <div className="mt-3 text-ink-quiet text-lg leading-[1.6]">{lead}</div>
        {sections.map((section) => (
          <section key={section.id} id={section.id} className="pt-10 [scroll-margin-top:40px]">
            <h2 className="text-xl font-semibold leading-[1.3] tracking-[-0.01em] [&_a]:text-inherit [&_a]:no-underline [&_a]:hover:underline">
              <a href={`#${section.id}`}>{section.title}</a>
            </h2>
            <div className={classes.body}>{section.body}</div>
          </section>
        ))}
        {children !== undefined && <p className="mt-14 pt-5 border-t border-line text-ink-quiet text-[15px]">{children}</p>}
      </article>
      <nav className={classes.contents} aria-label="On this page">
        <p>On this page</p>
        <ul>
          {sections.map((section) => (
            <li key={section.id}>
              <a href={`#${section.id}`}>{section.title}</a>
            </li>
          ))}
        </ul>
      </nav>
    </div>
  );
}
