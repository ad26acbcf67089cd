/** The pages below `/console/settings`. */
import { Navigate, Route, Routes } from 'react-router';
import './settings.css';
import { Keys } from './keys.tsx';
import { Limits } from './limits.tsx';
import { Members } from './members.tsx';
import { UsagePage } from './usage.tsx';
import { You } from './you.tsx';

export function Settings() {
  return (
    <Routes>
      <Route index element={<Navigate to="/settings/usage" replace />} />
      <Route path="usage" element={<UsagePage />} />
      <Route path="limits" element={<Limits />} />
      <Route path="keys" element={<Keys />} />
      <Route path="members" element={<Members />} />
      <Route path="you" element={<You />} />
    </Routes>
  );
}
