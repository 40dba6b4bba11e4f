import type { Metadata } from 'next';
import { SignInFrame } from '../sign-in/_components/sign-in-frame.tsx';
import { InvitationForm } from './invitation-form.tsx';

export const metadata: Metadata = { title: 'You are invited' };

export default function InvitationPage() {
  return (
    <SignInFrame>
      <InvitationForm />
    </SignInFrame>
  );
}
