/** The pages below `/console/domains`. */
import { Route, Routes } from 'react-router';
import { DomainList } from './domain-list.tsx';
import { DomainPage } from './domain-page.tsx';

export function Domains() {
  return (
    <Routes>
      <Route index element={<DomainList />} />
      <Route path=":domainId" element={<DomainPage />} />
    </Routes>
  );
}
