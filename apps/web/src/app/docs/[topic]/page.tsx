import type { Metadata } from 'next';
import Link from 'next/link';
import { notFound } from 'next/navigation';
import { TopicView } from '../_components/topic-view.tsx';
import { TOPICS } from '../_content/topics.ts';

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
