import type { ReactNode } from 'react';
import type { Topic } from '../_content/topic.ts';
import classes from './topic-view.module.css';

/** A page of documentation: its sections, and beside them their list. `children` is what follows. */
export function TopicView({ topic, children }: { topic: Topic; children?: ReactNode }) {
  const { title, lead, sections } = topic;
  return (
    <div className={classes.topic}>
      <article className={classes.article}>
        <h1 className={classes.title}>{title}</h1>
        <div className={classes.lead}>{lead}</div>
        {sections.map((section) => (
          <section key={section.id} id={section.id} className={classes.section}>
            <h2 className={classes.heading}>
              <a href={`#${section.id}`}>{section.title}</a>
            </h2>
            <div className={classes.body}>{section.body}</div>
          </section>
        ))}
        {children !== undefined && <p className={classes.next}>{children}</p>}
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
