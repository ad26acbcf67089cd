/** The local inbox: the page at `/` of `npm start`. */
import { Route, Routes } from 'react-router';
import { mount } from '../providers.tsx';
import '../styles.ts';
import './inbox.css';
import { MailPage } from './mail-page.tsx';
import { PanelPage } from './panel-page.tsx';
import { Shell } from './shell.tsx';
import { WebhooksPage } from './webhooks-page.tsx';
import { WritePage } from './write-page.tsx';

mount(
  '/',
  <Routes>
    <Route element={<Shell />}>
      <Route path="/" element={<MailPage />} />
      <Route path="/people" element={<MailPage />} />
      <Route path="/people/:address" element={<MailPage />} />
      <Route path="/people/:address/:id" element={<MailPage />} />
      <Route path="/write" element={<WritePage />} />
      <Route path="/webhooks" element={<WebhooksPage />} />
      <Route path="/panel" element={<PanelPage />} />
    </Route>
  </Routes>,
);
