import { mountScreen } from '../../widgets/mount-screen.js';
import { App } from './app.js';
import './sizes.css';

mountScreen('sizes', App);
