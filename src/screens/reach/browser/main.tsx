import { mountScreen } from '../../widgets/mount-screen.js';
import { App } from './app.js';
import './reach.css';

mountScreen('reach', App);
