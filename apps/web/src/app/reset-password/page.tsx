import type { Metadata } from 'next';
import { SignInFrame } from '../sign-in/_components/sign-in-frame.tsx';
import { ResetForm } from './reset-form.tsx';

export const metadata: Metadata = { title: 'Choose a new password' };

export default function ResetPasswordPage() {
  return (
    <SignInFrame>
      <ResetForm />
    </SignInFrame>
  );
}
