import { mountScreen } from '../../widgets/mount-screen.js';
import { App } from './app.js';
import './dimension.css';

mountScreen('dimension-screen', App);
