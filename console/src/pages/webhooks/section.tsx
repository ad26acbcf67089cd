/** The pages below `/console/webhooks`. */
import { Route, Routes } from 'react-router';
import './webhooks.css';
import { EndpointList } from './endpoint-list.tsx';
import { EndpointPage } from './endpoint-page.tsx';

export function Webhooks() {
  return (
    <Routes>
      <Route index element={<EndpointList />} />
      <Route path=":endpointId" element={<EndpointPage />} />
    </Routes>
  );
}
