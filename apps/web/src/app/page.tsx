import { redirect } from 'next/navigation';
import { currentSession } from '../server/session.ts';

export default async function RootPage() {
  redirect((await currentSession()) === null ? '/sign-in' : '/overview');
}
