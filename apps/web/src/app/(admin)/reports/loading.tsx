import { PageHead } from '../../../components/page-head.tsx';
import classes from './_components/reports-page.module.css';

export default function Loading() {
  return (
    <>
      <PageHead title="Reports" />
      <div className={classes.waiting} aria-hidden="true" />
    </>
  );
}
